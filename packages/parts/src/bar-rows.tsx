import type { ComponentChildren } from 'preact';

export interface BarRow {
  key: string;
  name: ComponentChildren;
  value: number;
  /** The value of before, to compare with. */
  before: number;
  text: ComponentChildren;
  beforeText: string;
}

const WIDTH = 100;

/** Values side by side, the greatest first, each beside that of before. It is a table for readers who do not see the bars. */
export function BarRows({
  title,
  columns,
  rows,
}: {
  title: string;
  columns: readonly [string, string, string];
  rows: readonly BarRow[];
}) {
  const highest = Math.max(...rows.flatMap(({ value, before }) => [value, before]), 0);
  const width = (value: number) => (highest > 0 ? (Math.max(value, 0) / highest) * WIDTH : 0);
  return (
    <div class="card chart-card">
      <table class="bar-rows">
        <caption>{title}</caption>
        <thead class="unseen">
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, name, value, before, text, beforeText }) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              <td class="number">
                <svg class="bar-pair" viewBox={`0 0 ${WIDTH} 10`} preserveAspectRatio="none" aria-hidden="true">
                  <rect width={width(value)} height="6" />
                  <rect class="before" y="7" width={width(before)} height="3" />
                </svg>
                {text}
              </td>
              <td class="number quiet">{beforeText}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
