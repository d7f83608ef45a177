from enum import StrEnum


class SandboxScenarioMethod(StrEnum):
    POST = "POST"

    def __str__(self) -> str:
        return str(self.value)
