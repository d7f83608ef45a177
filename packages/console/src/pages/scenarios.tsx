import { useState } from 'preact/hooks';
import { api } from '../api';
import { familyViews } from '../families';
import { words } from '../../../parts/src/format';
import { useLive } from '../live';
import { Action, Row, Status, Table } from '../../../parts/src/basics';
import { hrefOf } from '../route';
import type { Feature, Order, Scenario, Session } from '../types';

interface ScenariosProps {
  scenarios: readonly Scenario[];
  session: Session;
}

/** A button for each scenario of the account's families. The row shows the current status of its order. */
export function ScenariosPage({ scenarios, session }: ScenariosProps) {
  const { orderById } = useLive();
  const [placed, setPlaced] = useState<Record<string, Order>>({});
  const run = (scenario: Scenario) => async () => {
    const path = scenario.path.replace(/^\/api\/v1/, '');
    const order = await api<Order>(path, { method: scenario.method, body: scenario.body });
    setPlaced((before) => ({ ...before, [scenario.name]: order }));
  };
  // A fault fails the first request of a program. The console is not that program.
  const own = scenarios.filter(
    (scenario) => scenario.headers === undefined && session.features.includes(featureOf(scenario)),
  );
  return (
    <>
      <p class="quiet">The sandbox decides the outcome by what is ordered. Nothing is bought, the wallet is debited.</p>
      <Table caption="Scenarios" isCaptionHidden columns={['Scenario', 'Ends', 'Try', 'Order', 'Now']}>
        {own.map((scenario) => {
          const order = placed[scenario.name];
          return (
            <Row
              key={scenario.name}
              cells={[
                words(scenario.name),
                <Status of={scenario.final_status} />,
                <Action run={run(scenario)}>
                  Place<span class="unseen"> {words(scenario.name)}</span>
                </Action>,
                order && <a href={hrefOf(`orders/${featureOf(scenario)}/${order.id}`)}>{order.id}</a>,
                order && <Status of={orderById.get(order.id)?.status ?? order.status} />,
              ]}
            />
          );
        })}
      </Table>
    </>
  );
}

function featureOf({ path }: Scenario): Feature {
  return familyViews.find(({ orders }) => path === `/api/v1${orders}`)?.feature ?? 'vouchers';
}
