from enum import StrEnum


class MemberRole(StrEnum):
    MEMBER_ROLE_ADMIN = "admin"
    MEMBER_ROLE_FINANCE = "finance"
    MEMBER_ROLE_SUPPORT = "support"
    MEMBER_ROLE_VIEWER = "viewer"

    def __str__(self) -> str:
        return str(self.value)
