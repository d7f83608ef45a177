import { orderOfWorkflow, orderWorkflowId } from '../../src/domain/orders/order-ids';

test('When a workflow is an order’s, then its id names the order and the nonce', () => {
  expect(orderOfWorkflow(orderWorkflowId(42, 'a1b2'))).toEqual({ orderId: 42, nonce: 'a1b2' });
});

test.each(['esim-42-a1b2', 'order-42', 'order-42-a1b2-3', 'order-1234567890123456-a'])(
  'When a workflow is %s, then it is no order’s',
  (id) => {
    expect(orderOfWorkflow(id)).toBeUndefined();
  },
);
