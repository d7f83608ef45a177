from enum import StrEnum


class TopupRefundedEventType(StrEnum):
    TOPUP_REFUNDED = "topup.refunded"

    def __str__(self) -> str:
        return str(self.value)
