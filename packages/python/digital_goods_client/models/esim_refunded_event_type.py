from enum import StrEnum


class EsimRefundedEventType(StrEnum):
    ESIM_REFUNDED = "esim.refunded"

    def __str__(self) -> str:
        return str(self.value)
