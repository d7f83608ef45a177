from enum import StrEnum


class TopupDeliveredDataStatus(StrEnum):
    DELIVERED = "DELIVERED"

    def __str__(self) -> str:
        return str(self.value)
