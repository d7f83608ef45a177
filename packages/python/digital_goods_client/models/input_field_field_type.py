from enum import StrEnum


class InputFieldFieldType(StrEnum):
    NUMBER = "number"
    PHONE = "phone"
    SELECT = "select"
    TEXT = "text"

    def __str__(self) -> str:
        return str(self.value)
