from enum import StrEnum


class ListVoucherProductsSortBy(StrEnum):
    CATEGORY = "category"
    NAME = "name"

    def __str__(self) -> str:
        return str(self.value)
