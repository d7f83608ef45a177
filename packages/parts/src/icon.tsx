/** An icon of Material Design Icons (its path) beside a text, which says the same: a screen reader skips the icon. */
export function Icon({ of }: { of: string }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={of} />
    </svg>
  );
}
