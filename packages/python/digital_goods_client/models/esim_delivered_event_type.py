from enum import StrEnum


class EsimDeliveredEventType(StrEnum):
    ESIM_DELIVERED = "esim.delivered"

    def __str__(self) -> str:
        return str(self.value)
