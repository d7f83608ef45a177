from enum import StrEnum


class OrderCancelledDataStatus(StrEnum):
    CANCELLED = "CANCELLED"

    def __str__(self) -> str:
        return str(self.value)
