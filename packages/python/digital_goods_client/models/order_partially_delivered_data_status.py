from enum import StrEnum


class OrderPartiallyDeliveredDataStatus(StrEnum):
    PARTIALLY_DELIVERED = "PARTIALLY_DELIVERED"

    def __str__(self) -> str:
        return str(self.value)
