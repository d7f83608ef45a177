from enum import StrEnum


class ClaimOutcomeType3Type1(StrEnum):
    REFUNDED = "REFUNDED"
    REPLACED = "REPLACED"

    def __str__(self) -> str:
        return str(self.value)
