from enum import StrEnum


class ListTopupProductsType(StrEnum):
    GAMING = "GAMING"
    MOBILE = "MOBILE"
    UTILITY = "UTILITY"

    def __str__(self) -> str:
        return str(self.value)
