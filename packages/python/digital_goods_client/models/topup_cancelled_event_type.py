from enum import StrEnum


class TopupCancelledEventType(StrEnum):
    TOPUP_CANCELLED = "topup.cancelled"

    def __str__(self) -> str:
        return str(self.value)
