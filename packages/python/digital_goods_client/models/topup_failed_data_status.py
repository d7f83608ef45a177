from enum import StrEnum


class TopupFailedDataStatus(StrEnum):
    FAILED = "FAILED"

    def __str__(self) -> str:
        return str(self.value)
