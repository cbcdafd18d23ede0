"""What calls cost: a dated table of prices, of the package or of a file that the user gives."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from importlib.resources import files
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from coditect.errors import UsageError
from coditect.models.llm import CacheTtl, Usage

__all__ = ["Prices", "Rates"]

_MILLION = 1_000_000
_PACKAGED = "prices.json"

Dollars = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class _PriceRecord(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Rates(_PriceRecord):
    """Dollars for a million tokens of a request, by what becomes of them.

    Attributes:
        prompt_up_to: longest prompt, in tokens and whatever the cache has of it, for which these rates hold; None: any.
        input: neither read from the service's cache nor written to it.
        output: tokens of the answer.
        cache_write_5m: kept for five minutes; None: 1.25 times ``input``.
        cache_write_1h: kept for an hour; None: twice ``input``.
        cache_read: read from the cache; None: a tenth of ``input``.
    """

    prompt_up_to: int | None = Field(default=None, gt=0)
    input: Dollars
    output: Dollars
    cache_write_5m: Dollars | None = None
    cache_write_1h: Dollars | None = None
    cache_read: Dollars | None = None

    def usd(self, usage: Usage, cache: CacheTtl) -> float:
        """Dollars for a request that is not part of a batch."""
        if cache == "1h":
            write = 2 * self.input if self.cache_write_1h is None else self.cache_write_1h
        else:
            write = 1.25 * self.input if self.cache_write_5m is None else self.cache_write_5m
        read = self.input / 10 if self.cache_read is None else self.cache_read
        return (
            usage.input_tokens * self.input
            + usage.cache_creation_input_tokens * write
            + usage.cache_read_input_tokens * read
            + usage.output_tokens * self.output
        ) / _MILLION


class _PriceFile(_PriceRecord):
    as_of: date
    source: str = Field(min_length=1)
    unit: str = ""
    batch: float = Field(default=0.5, ge=0, le=1)
    models: Mapping[str, Annotated[tuple[Rates, ...], Field(min_length=1)]]


class Prices:
    """A table of prices; see :meth:`load`."""

    def __init__(self, table: _PriceFile) -> None:
        self._table = table

    @classmethod
    def load(cls, path: Path | None = None) -> Prices:
        """Read a table.

        Args:
            path: of a file like the package's ``agents/asking/prices.json``; None: that one.

        Raises:
            UsageError: the file cannot be read, or does not have the shape.
        """
        try:
            raw = (
                files("coditect.agents.asking").joinpath(_PACKAGED).read_bytes() if path is None else path.read_bytes()
            )
            return cls(_PriceFile.model_validate_json(raw))
        except OSError as error:
            raise UsageError("the price file cannot be read", path=str(path), reason=error.strerror) from error
        except ValidationError as error:
            places = sorted({".".join(map(str, found["loc"])) for found in error.errors()})
            raise UsageError(
                "the price file does not have the shape of one",
                hint="Write it like coditect/agents/asking/prices.json.",
                path=str(path),
                places=places[:10],
            ) from error

    @property
    def as_of(self) -> str:
        """The day on which the prices were looked up, YYYY-MM-DD."""
        return self._table.as_of.isoformat()

    @property
    def source(self) -> str:
        """Where the prices come from."""
        return self._table.source

    def knows(self, model: str) -> bool:
        """Whether the table has this model."""
        return model in self._table.models

    def usd(self, model: str, usage: Usage, *, batched: bool, cache: CacheTtl = "5m") -> float:
        """Dollars that one request costs.

        Args:
            model: as it was asked for.
            usage: of that one request: how long its prompt is decides about the rates.
            batched: in a batch.
            cache: how long was kept what it wrote to the service's cache.

        Raises:
            UsageError: the table does not have the model.
        """
        rates = self._rates(model, usage.total_input_tokens).usd(usage, cache)
        return rates * self._table.batch if batched else rates

    def usd_at_most(
        self, model: str, input_tokens: int, output_tokens: int, *, batched: bool, cache: CacheTtl = ""
    ) -> float:
        """Dollars that a request costs if nothing of it is read from the service's cache.

        Args:
            model: as it is asked for.
            input_tokens: of the prompt.
            output_tokens: of the answer, at most.
            batched: in a batch.
            cache: how long what it writes there is kept; "": it writes nothing.

        Raises:
            UsageError: the table does not have the model.
        """
        fresh, written = (0, input_tokens) if cache else (input_tokens, 0)
        usage = Usage(fresh, written, 0, output_tokens)
        return self.usd(model, usage, batched=batched, cache=cache)

    def _rates(self, model: str, prompt_tokens: int) -> Rates:
        rates = self._table.models.get(model)
        if rates is None:
            raise UsageError(
                "there is no price for this model",
                hint="Give a price file that has it, or no budget in dollars.",
                model=model,
                as_of=self.as_of,
            )
        for each in rates:
            if each.prompt_up_to is None or prompt_tokens <= each.prompt_up_to:
                return each
        return rates[-1]
