import { parse } from 'postgres-array'

/**
 * The database driver's types for arrays. Each element is parsed like a single value: a number, a bigint for `int8` and
 * `numeric`, or a text.
 *
 * The driver can request the types from the server (`fetch_types`). But a connection that breaks during the request
 * would end the process.
 */
export const arrayTypes = {
  textArray: arrayType([1009, 1002, 1003, 1015, 2951], String),
  numberArray: arrayType([1007, 1005, 1022, 1028], Number),
  bigintArray: arrayType([1016, 1231], BigInt),
  booleanArray: arrayType([1000], (text) => text === 't'),
}

/**
 * Returns a type definition for the driver. The numbers in `arrayTypes` stand for arrays of these element types, in
 * this order:
 * - `textArray`: text, char, name, varchar, uuid
 * - `numberArray`: int4, int2, float8, oid
 * - `bigintArray`: int8, numeric
 * - `booleanArray`: bool
 * @param oids object ids of array types in the server's `pg_type`; a parameter is sent as the first of these types
 * @param read parses the text of one element
 */
function arrayType<Element>(oids: [number, ...number[]], read: (text: string) => Element) {
  return {
    to: oids[0],
    from: oids,
    serialize: arrayText,
    parse: (text: string): (Element | null)[] => parse(text, read),
  }
}

/**
 * Returns the PostgreSQL array literal of the elements. Quotes and backslashes are escaped. Example: `['a"b']` becomes
 * `{"a\"b"}`.
 * @throws TypeError for an element that is not null, a string, number, bigint, boolean or array, such as a Date
 */
function arrayText(elements: readonly unknown[]): string {
  return `{${elements.map(elementText).join(',')}}`
}

function elementText(element: unknown): string {
  if (Array.isArray(element)) return arrayText(element)
  if (element === null) return 'NULL'
  if (!['string', 'number', 'bigint', 'boolean'].includes(typeof element)) {
    throw new TypeError(`an array for the database has an element of type ${typeof element}`)
  }
  return `"${String(element).replaceAll(/[\\"]/g, '\\$&')}"`
}
