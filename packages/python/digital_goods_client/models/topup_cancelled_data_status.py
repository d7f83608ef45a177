from enum import StrEnum


class TopupCancelledDataStatus(StrEnum):
    CANCELLED = "CANCELLED"

    def __str__(self) -> str:
        return str(self.value)
