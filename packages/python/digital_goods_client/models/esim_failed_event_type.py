from enum import StrEnum


class EsimFailedEventType(StrEnum):
    ESIM_FAILED = "esim.failed"

    def __str__(self) -> str:
        return str(self.value)
