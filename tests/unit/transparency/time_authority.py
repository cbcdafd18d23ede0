"""A time stamp authority of our own: RFC 3161 tokens at any time, by certificates that are valid whenever they are to be."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

__all__ = ["TimeAuthority"]

_SEQUENCE, _SET, _INTEGER, _OCTETS, _OID, _TIME = 0x30, 0x31, 0x02, 0x04, 0x06, 0x18


def _der(tag: int, *parts: bytes) -> bytes:
    body = b"".join(parts)
    size = len(body)
    length = (
        bytes((size,))
        if size < 128
        else (n := size.to_bytes((size.bit_length() + 7) // 8, "big")) and bytes((128 | len(n),)) + n
    )
    return bytes((tag,)) + length + body


def _integer(value: int) -> bytes:
    return _der(_INTEGER, value.to_bytes(value.bit_length() // 8 + 1, "big"))


def _oid(dotted: str) -> bytes:
    first, second, *rest = map(int, dotted.split("."))
    out = bytearray()
    for each in (40 * first + second, *rest):
        digits = [each & 127]
        while each := each >> 7:
            digits.append(each & 127 | 128)
        out += bytes(reversed(digits))
    return _der(_OID, bytes(out))


_SHA256 = _der(_SEQUENCE, _oid("2.16.840.1.101.3.4.2.1"))
_TST_INFO = _oid("1.2.840.113549.1.9.16.1.4")


def _attribute(oid: str, value: bytes) -> bytes:
    return _der(_SEQUENCE, _oid(oid), _der(_SET, value))


class TimeAuthority:
    """An authority with a root of its own.

    Args:
        valid: (from, to) of its certificates.
        usage: what its key is for; time stamping, if it is an honest one.
    """

    def __init__(
        self,
        valid: tuple[datetime, datetime],
        usage: x509.ObjectIdentifier = ExtendedKeyUsageOID.TIME_STAMPING,
    ) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        root_key = ec.generate_private_key(ec.SECP256R1())
        root_name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Root of tests")])
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Time authority of tests")])
        self.root = self._certificate(
            root_name,
            root_key.public_key(),
            root_name,
            root_key,
            valid,
            [
                (x509.BasicConstraints(ca=True, path_length=None), True),
            ],
        )
        self.own = self._certificate(
            name,
            self._key.public_key(),
            root_name,
            root_key,
            valid,
            [
                (x509.BasicConstraints(ca=False, path_length=None), True),
                (x509.ExtendedKeyUsage([usage]), True),
            ],
        )

    @staticmethod
    def _certificate(
        name: x509.Name,
        public: ec.EllipticCurvePublicKey,
        issuer: x509.Name,
        by: ec.EllipticCurvePrivateKey,
        valid: tuple[datetime, datetime],
        extensions: list[tuple[x509.ExtensionType, bool]],
    ) -> x509.Certificate:
        builder = (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(issuer)
            .public_key(public)
            .serial_number(x509.random_serial_number())
            .not_valid_before(valid[0])
            .not_valid_after(valid[1])
        )
        for extension, critical in extensions:
            builder = builder.add_extension(extension, critical)
        return builder.sign(by, hashes.SHA256())

    @property
    def certificates(self) -> bytes:
        """Its root in PEM."""
        return self.root.public_bytes(Encoding.PEM)

    def stamp(self, message: bytes, at: datetime, nonce: int | None = None, *, bare: bool = False) -> bytes:
        """A TimeStampResp over SHA-256 of a message; a bare one leaves the authority's own certificate out."""
        imprint = _der(_SEQUENCE, _SHA256, _der(_OCTETS, hashlib.sha256(message).digest()))
        return self._response(imprint, at, nonce, bare=bare)

    def answer(self, request: bytes, at: datetime) -> bytes:
        """A TimeStampResp to a TimeStampReq."""
        from rfc3161_client._rust import parse_timestamp_request

        asked = parse_timestamp_request(request)
        algorithm = _der(_SEQUENCE, _oid(asked.message_imprint.hash_algorithm.dotted_string))
        imprint = _der(_SEQUENCE, algorithm, _der(_OCTETS, asked.message_imprint.message))
        return self._response(imprint, at, asked.nonce)

    def _response(self, imprint: bytes, at: datetime, nonce: int | None, *, bare: bool = False) -> bytes:
        time = _der(_TIME, at.astimezone(UTC).strftime("%Y%m%d%H%M%SZ").encode())
        info = _der(
            _SEQUENCE,
            _integer(1),
            _oid("1.2.3.4"),
            imprint,
            _integer(7),
            time,
            b"" if nonce is None else _integer(nonce),
        )
        der = self.own.public_bytes(Encoding.DER)
        attributes = b"".join(
            sorted(
                [
                    _attribute("1.2.840.113549.1.9.3", _TST_INFO),
                    _attribute("1.2.840.113549.1.9.4", _der(_OCTETS, hashlib.sha256(info).digest())),
                    _attribute(
                        "1.2.840.113549.1.9.16.2.47",
                        _der(_SEQUENCE, _der(_SEQUENCE, _der(_SEQUENCE, _der(_OCTETS, hashlib.sha256(der).digest())))),
                    ),
                ]
            )
        )
        signer = _der(
            _SEQUENCE,
            _integer(1),
            _der(_SEQUENCE, self.own.issuer.public_bytes(), _integer(self.own.serial_number)),
            _SHA256,
            _der(0xA0, attributes),
            _der(_SEQUENCE, _oid("1.2.840.10045.4.3.2")),
            _der(_OCTETS, self._key.sign(_der(_SET, attributes), ec.ECDSA(hashes.SHA256()))),
        )
        signed = _der(
            _SEQUENCE,
            _integer(3),
            _der(_SET, _SHA256),
            _der(_SEQUENCE, _TST_INFO, _der(0xA0, _der(_OCTETS, info))),
            b"" if bare else _der(0xA0, der),
            _der(_SET, signer),
        )
        token = _der(_SEQUENCE, _oid("1.2.840.113549.1.7.2"), _der(0xA0, signed))
        return _der(_SEQUENCE, _der(_SEQUENCE, _integer(0)), token)
