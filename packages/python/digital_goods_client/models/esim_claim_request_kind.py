from enum import StrEnum


class EsimClaimRequestKind(StrEnum):
    ALREADY_USED = "ALREADY_USED"
    INVALID_CODE = "INVALID_CODE"
    NOT_RECEIVED = "NOT_RECEIVED"
    NOT_WORKING = "NOT_WORKING"
    WRONG_GOODS = "WRONG_GOODS"

    def __str__(self) -> str:
        return str(self.value)
