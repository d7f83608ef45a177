from enum import StrEnum


class EsimCancelledDataStatus(StrEnum):
    CANCELLED = "CANCELLED"

    def __str__(self) -> str:
        return str(self.value)
