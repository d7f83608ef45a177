import type { ComponentChildren } from 'preact';
import { Progress, Row, Table } from '../../../parts/src/basics';
import { ColumnMenu, useColumns } from '../../../parts/src/columns';
import type { Loaded } from '../../../parts/src/loading';
import { MoreRows } from '../../../parts/src/more-rows';
import { useSorted } from '../../../parts/src/sorting';
import { Filters, type FilterField, type FilterValues } from './filters';
import type { ReadRows } from './rows';

/** What a list shows of an item, by the captions of its columns. */
type Columns<Item> = Readonly<Record<string, (item: Item) => ComponentChildren>>;

interface ListProps<Item, Name extends string> {
  /** Names the list in this browser. */
  name: string;
  caption: string;
  fields: readonly FilterField<Name>[];
  filter: FilterValues<Name>;
  /** The address of the list with these values. */
  hrefOf: (query: Readonly<Record<string, string | number>>) => string;
  loaded: Pick<Loaded<unknown>, 'data' | 'failure' | 'rejection'> & Partial<Pick<ReadRows<Item>, 'more'>>;
  /** Empty until they are read. */
  items: readonly Item[];
  keyOf: (item: Item) => string | number;
  columns: Columns<Item>;
  numbers?: readonly string[];
  /** The columns that are hidden at first. */
  hidden?: readonly string[];
  /** The values by which a person can sort, by the captions of their columns: of a list that has all its items. */
  sortedBy?: Readonly<Record<string, (item: Item) => string | null>>;
  attributesOf?: (item: Item) => { 'data-order'?: number; 'data-event'?: string };
  /** What stands in the place of an empty list. */
  empty: ComponentChildren;
  /** The address of the file with all its items, below `/console/api`. */
  file: string;
  fileText?: string;
}

/** A list: its filters, the columns that a person chooses, its items, and more at its end. */
export function List<Item, Name extends string>(props: ListProps<Item, Name>) {
  const { name, caption, filter, hrefOf, loaded, items, columns, numbers = [], sortedBy = {} } = props;
  const { keyOf, attributesOf, hidden = [], file, fileText = 'Export as CSV' } = props;
  const [first = '', ...others] = Object.keys(columns);
  const { chosen = [], choose } = useColumns(
    name,
    others.filter((each) => !hidden.includes(each)),
  );
  const shown = [first, ...others.filter((each) => chosen.includes(each))];
  const { sorted, sorting } = useSorted(items, Object.keys(sortedBy), (item, column) => sortedBy[column]?.(item));
  return (
    <>
      <div class="tools">
        <Filters fields={props.fields} filter={filter} hrefOf={hrefOf} rejection={loaded.rejection} />
        <ColumnMenu all={others} shown={shown} choose={choose} />
        <a class="button" href={`/console/api/${file}`} aria-label={fileText} download>
          CSV
        </a>
      </div>
      <Progress of={loaded} />
      {loaded.data !== undefined && items.length === 0 && props.empty}
      {items.length > 0 && (
        <Table caption={caption} isCaptionHidden columns={shown} numbers={numbers} sorting={props.sortedBy && sorting}>
          {sorted.map((item) => (
            <Row key={keyOf(item)} {...attributesOf?.(item)} cells={shown.map((column) => columns[column]?.(item))} />
          ))}
        </Table>
      )}
      {loaded.more && <MoreRows isEndless show={loaded.more} />}
    </>
  );
}
