/** Whether PostgreSQL may return null in a column, by the parse tree of the statement. What the tree does not tell counts as not null. */
import { isList, nodeOf, nodesOf, numberOf, type Node } from './parse-tree';

/** What the catalogue of the database tells. */
export interface Catalogue {
  /** The columns of tables that may be null, as `table.column` of their ids. */
  nullable: ReadonlySet<string>;
  /** The queries of views, by the id of the view. */
  views: ReadonlyMap<number, Node>;
  /** The functions that return null for a null argument, and for nothing else. */
  strict: ReadonlySet<number>;
}

/** Queries from the inside out: the query of an expression, and those around it. */
type Scope = readonly Node[];

const RELATION = 0;
const SUBQUERY = 1;
const JOIN = 2;
const CTE = 6;
const GROUP = 9;

const INNER_JOIN = 0;
/** The sides of each kind of join that have a row in each of its rows. */
const sidesWithRows: ReadonlyMap<number, readonly string[]> = new Map([
  [INNER_JOIN, ['larg', 'rarg']],
  [1, ['larg']],
  [3, ['rarg']],
]);

/** Nodes that are null exactly if their argument is. */
const transparent = new Set([
  'RELABELTYPE',
  'COERCEVIAIO',
  'COERCETODOMAIN',
  'ARRAYCOERCEEXPR',
  'COLLATEEXPR',
  'NAMEDARGEXPR',
]);

export class Nullability {
  constructor(private readonly catalogue: Catalogue) {}

  /** Of each column of a query. */
  ofColumns(query: Node, around: Scope = []): boolean[] {
    return columnsOf(query).map((_column, index) => this.#ofColumn(query, index, around));
  }

  #ofColumn(query: Node, index: number, around: Scope): boolean {
    const scope = [query, ...around];
    const operation = nodeOf(query, 'setOperations');
    if (operation)
      return branchesOf(operation).some((branch) => {
        const subquery = nodeOf(entryOf(query, branch) ?? query, 'subquery');
        return subquery !== undefined && this.#ofColumn(subquery, index, scope);
      });
    const entry = columnsOf(query)[index];
    const expression = entry && nodeOf(entry, 'expr');
    return expression !== undefined && this.#of(expression, scope);
  }

  #of(expression: Node, scope: Scope): boolean {
    const { kind } = expression;
    if (kind === 'VAR') return this.#ofVariable(expression, scope);
    if (kind === 'CONST') return expression.fields.get('constisnull') === 'true';
    if (kind === 'COALESCEEXPR') return nodesOf(expression, 'args').every((each) => this.#of(each, scope));
    return this.#argumentsOf(expression).some((each) => this.#of(each, scope));
  }

  #ofVariable(variable: Node, scope: Scope): boolean {
    const inner = scope.slice(numberOf(variable, 'varlevelsup'));
    const [query] = inner;
    const entry = query && entryOf(query, numberOf(variable, 'varno'));
    if (!query || !entry || this.#isProvenNotNull(query, variable)) return false;
    const outerJoins = variable.fields.get('varnullingrels');
    if (isList(outerJoins) && outerJoins.length > 1) return true;
    return this.#ofEntry(entry, numberOf(variable, 'varattno'), inner);
  }

  /** Whether a condition of the query, of WHERE or of an inner join, is not true for a null in this variable. */
  #isProvenNotNull(query: Node, variable: Node): boolean {
    const tree = nodeOf(query, 'jointree');
    return tree !== undefined && conditionsOf(tree).some((condition) => this.#rejectsNull(condition, variable));
  }

  #rejectsNull(condition: Node, variable: Node): boolean {
    const { kind, fields } = condition;
    const argument = nodeOf(condition, 'arg');
    if (kind === 'NULLTEST')
      return fields.get('nulltesttype') === '1' && argument !== undefined && this.#needs(argument, variable);
    if (kind === 'SCALARARRAYOPEXPR') return nodesOf(condition, 'args').some((each) => this.#needs(each, variable));
    if (kind !== 'BOOLEXPR') return this.#needs(condition, variable);
    const parts = nodesOf(condition, 'args');
    if (fields.get('boolop') === 'and') return parts.some((part) => this.#rejectsNull(part, variable));
    return fields.get('boolop') === 'or' && parts.every((part) => this.#rejectsNull(part, variable));
  }

  /** Whether an expression is null if the variable is. */
  #needs(expression: Node, variable: Node): boolean {
    const { kind, fields } = expression;
    if (kind === 'VAR')
      return (
        numberOf(expression, 'varlevelsup') === 0 &&
        ['varno', 'varattno'].every((name) => fields.get(name) === variable.fields.get(name))
      );
    return this.#argumentsOf(expression).some((each) => this.#needs(each, variable));
  }

  /** The arguments with any of which the expression is null. */
  #argumentsOf(expression: Node): Node[] {
    const { kind } = expression;
    if (transparent.has(kind)) return [nodeOf(expression, 'arg')].flatMap((each) => each ?? []);
    if (kind !== 'FUNCEXPR' && kind !== 'OPEXPR') return [];
    const isStrict = this.catalogue.strict.has(numberOf(expression, kind === 'OPEXPR' ? 'opfuncid' : 'funcid'));
    return isStrict ? nodesOf(expression, 'args') : [];
  }

  /** A column of an entry of a FROM clause. */
  #ofEntry(entry: Node, number: number, scope: Scope): boolean {
    const kind = numberOf(entry, 'rtekind');
    if (kind === RELATION) return this.#ofRelation(numberOf(entry, 'relid'), number);
    if (kind === SUBQUERY) {
      const subquery = nodeOf(entry, 'subquery');
      return subquery !== undefined && this.#ofColumn(subquery, number - 1, scope);
    }
    if (kind === JOIN || kind === GROUP) {
      const expression = nodesOf(entry, kind === JOIN ? 'joinaliasvars' : 'groupexprs')[number - 1];
      return expression !== undefined && this.#of(expression, scope);
    }
    return kind === CTE && this.#ofCommonTable(entry, number, scope);
  }

  #ofRelation(id: number, number: number): boolean {
    const view = this.catalogue.views.get(id);
    return view ? this.#ofColumn(view, number - 1, []) : this.catalogue.nullable.has(`${id}.${number}`);
  }

  #ofCommonTable(entry: Node, number: number, scope: Scope): boolean {
    const around = scope.slice(numberOf(entry, 'ctelevelsup'));
    const [query] = around;
    const table =
      query && nodesOf(query, 'cteList').find(({ fields }) => fields.get('ctename') === entry.fields.get('ctename'));
    const common = table && nodeOf(table, 'ctequery');
    // One that refers to itself would be read for ever.
    if (!common || table.fields.get('cterecursive') === 'true') return false;
    return this.#ofColumn(common, number - 1, around);
  }
}

/** Of each column of a query: whether it is NULL itself, whose type PostgreSQL does not know. */
export function areAlwaysNull(query: Node): boolean[] {
  return columnsOf(query).map((entry) => nodeOf(entry, 'expr')?.fields.get('constisnull') === 'true');
}

/** The columns that a query returns. */
function columnsOf(query: Node): Node[] {
  const list = query.fields.get('commandType') === '1' ? 'targetList' : 'returningList';
  return nodesOf(query, list).filter(({ fields }) => fields.get('resjunk') !== 'true');
}

function entryOf(query: Node, number: number): Node | undefined {
  return nodesOf(query, 'rtable')[number - 1];
}

/** The entries that UNION, INTERSECT or EXCEPT combine. */
function branchesOf(operation: Node): number[] {
  if (operation.kind !== 'SETOPERATIONSTMT') return [numberOf(operation, 'rtindex')];
  return ['larg', 'rarg'].flatMap((side) => {
    const branch = nodeOf(operation, side);
    return branch ? branchesOf(branch) : [];
  });
}

/** The conditions that every row of a FROM clause meets. */
function conditionsOf(tree: Node): Node[] {
  const sides = tree.kind === 'JOINEXPR' ? (sidesWithRows.get(numberOf(tree, 'jointype')) ?? []) : [];
  const isOuter = tree.kind === 'JOINEXPR' && numberOf(tree, 'jointype') !== INNER_JOIN;
  const own = isOuter ? undefined : nodeOf(tree, 'quals');
  const parts = [...sides.flatMap((side) => nodeOf(tree, side) ?? []), ...nodesOf(tree, 'fromlist')];
  return [...(own ? [own] : []), ...parts.flatMap(conditionsOf)];
}
