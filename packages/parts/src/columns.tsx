/** The columns of a list, which a person chooses in this browser. */
import { mdiViewColumnOutline } from '@mdi/js';
import { useState } from 'preact/hooks';
import { Icon } from './icon';
import { Popup } from './popup';

export interface Chosen {
  /** Undefined: all. */
  chosen: readonly string[] | undefined;
  /** Whether the person has chosen them. */
  isOwn: boolean;
  choose: (columns: readonly string[] | undefined) => void;
}

/** The chosen columns of the list with this name; those that are given as long as the person has chosen none. */
export function useColumns(list: string, standard: readonly string[] | undefined): Chosen {
  const key = `columns ${list}`;
  const [own, setOwn] = useState(() => localStorage.getItem(key)?.split(' ').map(decodeURIComponent));
  const choose = (columns: readonly string[] | undefined) => {
    if (columns === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, columns.map(encodeURIComponent).join(' '));
    setOwn(columns && [...columns]);
  };
  return { chosen: own ?? standard, isOwn: own !== undefined, choose };
}

interface ColumnMenuProps {
  all: readonly string[];
  shown: readonly string[];
  choose: Chosen['choose'];
  captionOf?: (column: string) => string;
}

export function ColumnMenu({ all, shown, choose, captionOf = (column) => column }: ColumnMenuProps) {
  return (
    <Popup
      button={
        <>
          <Icon of={mdiViewColumnOutline} />
          Columns
        </>
      }
    >
      {all.map((name) => (
        <label key={name}>
          <input
            type="checkbox"
            checked={shown.includes(name)}
            onChange={() => choose(all.filter((each) => shown.includes(each) !== (each === name)))}
          />
          {captionOf(name)}
        </label>
      ))}
      <hr />
      <button type="button" onClick={() => choose(undefined)}>
        As at first
      </button>
    </Popup>
  );
}
