from enum import StrEnum


class CreateTopupOrderSandboxFault(StrEnum):
    RESET = "reset"
    TIMEOUT = "timeout"
    VALUE_0 = "429"
    VALUE_1 = "503"
    VALUE_2 = "504-placed"
    VALUE_3 = "504-not-placed"

    def __str__(self) -> str:
        return str(self.value)
