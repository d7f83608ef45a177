import { useState } from 'preact/hooks';
import { api } from '../api';
import { familyViews } from '../families';
import { words } from '../format';
import { useLive } from '../live';
import { Action, Status, Table } from '../parts/basics';
import { hrefOf } from '../route';
import type { Order, Scenario } from '../types';

/** A button for each scenario. The row shows the current status of its order. */
export function ScenariosPage({ scenarios }: { scenarios: readonly Scenario[] }) {
  const { orderById } = useLive();
  const [placed, setPlaced] = useState<Record<string, Order>>({});
  const run = (scenario: Scenario) => async () => {
    const path = scenario.path.replace(/^\/api\/v1/, '');
    const order = await api<Order>(path, { method: scenario.method, body: scenario.body });
    setPlaced((before) => ({ ...before, [scenario.name]: order }));
  };
  return (
    <>
      <p class="quiet">
        The sandbox decides the outcome by what is ordered. Nothing is bought, the wallet is debited.
      </p>
      <Table caption="Scenarios" isCaptionHidden columns={['Scenario', 'Ends', 'Try', 'Order', 'Now']}>
        {scenarios.map((scenario) => {
          const order = placed[scenario.name];
          return (
            <tr key={scenario.name}>
              <td>{words(scenario.name)}</td>
              <td>
                <Status of={scenario.final_status} />
              </td>
              <td>
                <Action run={run(scenario)}>
                  Place<span class="unseen"> {words(scenario.name)}</span>
                </Action>
              </td>
              <td>{order && <a href={hrefOf(`orders/${featureOf(scenario)}/${order.id}`)}>{order.id}</a>}</td>
              <td>{order && <Status of={orderById.get(order.id)?.status ?? order.status} />}</td>
            </tr>
          );
        })}
      </Table>
    </>
  );
}

function featureOf({ path }: Scenario): string {
  return familyViews.find(({ orders }) => path === `/api/v1${orders}`)?.feature ?? 'vouchers';
}
