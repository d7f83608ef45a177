from enum import StrEnum


class TopupProductDetailTopupType(StrEnum):
    GAMING = "GAMING"
    MOBILE = "MOBILE"
    UTILITY = "UTILITY"

    def __str__(self) -> str:
        return str(self.value)
