from enum import StrEnum


class EsimFailedDataStatus(StrEnum):
    FAILED = "FAILED"

    def __str__(self) -> str:
        return str(self.value)
