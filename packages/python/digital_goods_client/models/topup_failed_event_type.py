from enum import StrEnum


class TopupFailedEventType(StrEnum):
    TOPUP_FAILED = "topup.failed"

    def __str__(self) -> str:
        return str(self.value)
