/** A page that the navigation leads to. */
export interface Place {
  title: string;
  href: string;
  icon: string;
  isCurrent: boolean;
  /** The letter that opens the place after `g`. */
  key: string;
}

/** Places under one heading. The first group has none. */
export interface PlaceGroup {
  name?: string;
  places: readonly Place[];
}
