from enum import StrEnum


class MemberState(StrEnum):
    ACTIVE = "ACTIVE"
    INVITED = "INVITED"
    SUSPENDED = "SUSPENDED"

    def __str__(self) -> str:
        return str(self.value)
