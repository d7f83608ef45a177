from enum import StrEnum


class EsimCancelledEventType(StrEnum):
    ESIM_CANCELLED = "esim.cancelled"

    def __str__(self) -> str:
        return str(self.value)
