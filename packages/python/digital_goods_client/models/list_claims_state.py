from enum import StrEnum


class ListClaimsState(StrEnum):
    ACCEPTED = "ACCEPTED"
    AT_SUPPLIER = "AT_SUPPLIER"
    OPEN = "OPEN"
    REJECTED = "REJECTED"

    def __str__(self) -> str:
        return str(self.value)
