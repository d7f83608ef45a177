import { isRole, roleMeanings, roles } from '../../src/domain/operators/roles';

test('When a text names a role, then it is recognised, and no other text is', () => {
  expect(roles.filter(isRole)).toEqual(['viewer', 'support', 'catalogue', 'finance', 'admin']);
  expect(['Admin', '', 'toString', 'owner'].filter(isRole)).toEqual([]);
});

test('When a role is listed, then a sentence says what it is for', () => {
  for (const role of roles) expect(roleMeanings[role]).toMatch(/^[A-Z].*\.$/);
});
