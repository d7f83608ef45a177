from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, BinaryIO, TextIO, TYPE_CHECKING, Generator

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

from ..models.input_field_field_type import InputFieldFieldType
from ..types import UNSET, Unset
from typing import cast

if TYPE_CHECKING:
    from ..models.input_field_options_item import InputFieldOptionsItem


T = TypeVar("T", bound="InputField")


@_attrs_define
class InputField:
    """One field that the customer fills in.

    Attributes:
        field_name (str): The key in `input_data`.
        field_label (str): Its label.
        field_type (InputFieldFieldType): `text` is free text, `number` must be numeric, `phone` becomes E.164, `select`
            is one of the options.
        is_required (bool): Whether it must be present and not empty.
        validation_regex (str | Unset): A pattern that the value must match.
        placeholder (str | Unset): An example to show.
        help_text (str | Unset): A hint for the customer.
        options (list[InputFieldOptionsItem] | Unset): The options of a `select`.
    """

    field_name: str
    field_label: str
    field_type: InputFieldFieldType
    is_required: bool
    validation_regex: str | Unset = UNSET
    placeholder: str | Unset = UNSET
    help_text: str | Unset = UNSET
    options: list[InputFieldOptionsItem] | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.input_field_options_item import InputFieldOptionsItem  # noqa: PLC0415

        field_name = self.field_name

        field_label = self.field_label

        field_type = self.field_type.value

        is_required = self.is_required

        validation_regex = self.validation_regex

        placeholder = self.placeholder

        help_text = self.help_text

        options: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.options, Unset):
            options = []
            for options_item_data in self.options:
                options_item = options_item_data.to_dict()
                options.append(options_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "field_name": field_name,
                "field_label": field_label,
                "field_type": field_type,
                "is_required": is_required,
            }
        )
        if validation_regex is not UNSET:
            field_dict["validation_regex"] = validation_regex
        if placeholder is not UNSET:
            field_dict["placeholder"] = placeholder
        if help_text is not UNSET:
            field_dict["help_text"] = help_text
        if options is not UNSET:
            field_dict["options"] = options

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.input_field_options_item import InputFieldOptionsItem  # noqa: PLC0415

        d = dict(src_dict)
        field_name = d.pop("field_name")

        field_label = d.pop("field_label")

        field_type = InputFieldFieldType(d.pop("field_type"))

        is_required = d.pop("is_required")

        validation_regex = d.pop("validation_regex", UNSET)

        placeholder = d.pop("placeholder", UNSET)

        help_text = d.pop("help_text", UNSET)

        _options = d.pop("options", UNSET)
        options: list[InputFieldOptionsItem] | Unset = UNSET
        if _options is not UNSET:
            options = []
            for options_item_data in _options:
                options_item = InputFieldOptionsItem.from_dict(options_item_data)

                options.append(options_item)

        input_field = cls(
            field_name=field_name,
            field_label=field_label,
            field_type=field_type,
            is_required=is_required,
            validation_regex=validation_regex,
            placeholder=placeholder,
            help_text=help_text,
            options=options,
        )

        input_field.additional_properties = d
        return input_field

    @property
    def additional_keys(self) -> list[str]:
        return list(self.additional_properties.keys())

    def __getitem__(self, key: str) -> Any:
        return self.additional_properties[key]

    def __setitem__(self, key: str, value: Any) -> None:
        self.additional_properties[key] = value

    def __delitem__(self, key: str) -> None:
        del self.additional_properties[key]

    def __contains__(self, key: str) -> bool:
        return key in self.additional_properties
