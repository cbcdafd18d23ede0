// Reads a served log with Go's own golang.org/x/mod/sumdb: every entry's inclusion, and the consistency of every prefix.
package main

import (
	"encoding/binary"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type folder struct{ path string }

func (f folder) Height() int { return 8 }

func (f folder) SaveTiles(tiles []tlog.Tile, data [][]byte) {}

// C2SP tlog-tiles are the checksum database's tiles of height 8, without the height in the path.
func (f folder) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	var out [][]byte
	for _, tile := range tiles {
		data, err := os.ReadFile(filepath.Join(f.path, strings.Replace(tile.Path(), "tile/8/", "tile/", 1)))
		if err != nil {
			return nil, err
		}
		out = append(out, data)
	}
	return out, nil
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func main() {
	root, key := os.Args[1], os.Args[2]
	raw, err := os.ReadFile(filepath.Join(root, "checkpoint"))
	check(err)
	verifier, err := note.NewVerifier(key)
	check(err)
	signed, err := note.Open(raw, note.VerifierList(verifier))
	check(err)
	lines := strings.Split(signed.Text, "\n")
	size, err := strconv.ParseInt(lines[1], 10, 64)
	check(err)
	hash, err := tlog.ParseHash(lines[2])
	check(err)
	tree := tlog.Tree{N: size, Hash: hash}
	reader := tlog.TileHashReader(tree, folder{root})

	var entries [][]byte
	for bundle := int64(0); bundle*256 < size; bundle++ {
		width := size - bundle*256
		if width > 256 {
			width = 256
		}
		tile := tlog.Tile{H: 8, L: 0, N: bundle, W: int(width)}
		path := strings.Replace(tile.Path(), "tile/8/0/", "tile/entries/", 1)
		data, err := os.ReadFile(filepath.Join(root, path))
		check(err)
		for len(data) > 0 {
			length := int(binary.BigEndian.Uint16(data))
			entries = append(entries, data[2:2+length])
			data = data[2+length:]
		}
	}
	included, consistent, refused := 0, 0, 0
	for index := int64(0); index < size; index++ {
		proof, err := tlog.ProveRecord(size, index, reader)
		check(err)
		check(tlog.CheckRecord(proof, size, hash, index, tlog.RecordHash(entries[index])))
		included++
		if tlog.CheckRecord(proof, size, hash, index, tlog.RecordHash([]byte("other"))) != nil {
			refused++
		}
		prefix, err := tlog.TreeHash(index+1, reader)
		check(err)
		path, err := tlog.ProveTree(size, index+1, reader)
		check(err)
		check(tlog.CheckTree(path, size, hash, index+1, prefix))
		consistent++
	}
	fmt.Println(len(entries), included, consistent, refused)
}
