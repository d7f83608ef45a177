from enum import StrEnum


class OrderFailedDataStatus(StrEnum):
    FAILED = "FAILED"

    def __str__(self) -> str:
        return str(self.value)
