import { apiWithoutToken } from '../support/stack';

test.each(['/health', '/ready'])('When %s is requested without a token, then the response is 200', async (path) => {
  const answer = await apiWithoutToken().get(path);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('x-request-id')).toBeTruthy();
});
