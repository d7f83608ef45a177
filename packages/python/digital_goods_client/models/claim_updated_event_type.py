from enum import StrEnum


class ClaimUpdatedEventType(StrEnum):
    CLAIM_UPDATED = "claim.updated"

    def __str__(self) -> str:
        return str(self.value)
