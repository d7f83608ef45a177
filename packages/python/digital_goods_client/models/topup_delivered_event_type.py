from enum import StrEnum


class TopupDeliveredEventType(StrEnum):
    TOPUP_DELIVERED = "topup.delivered"

    def __str__(self) -> str:
        return str(self.value)
