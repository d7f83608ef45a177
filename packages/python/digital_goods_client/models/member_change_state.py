from enum import StrEnum


class MemberChangeState(StrEnum):
    ACTIVE = "ACTIVE"
    SUSPENDED = "SUSPENDED"

    def __str__(self) -> str:
        return str(self.value)
