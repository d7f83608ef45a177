/** One field a top-up product asks of the customer. docs/specification.md#input-field. */
export interface InputField {
  /** Key in the order's `input_data`. */
  field_name: string;
  field_label: string;
  field_type: 'text' | 'number' | 'phone' | 'select';
  is_required: boolean;
  validation_regex?: string;
  placeholder?: string;
  help_text?: string;
  /** The allowed values of a select field. */
  options?: { value: string; label: string }[];
}
