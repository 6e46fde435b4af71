import { parse } from 'postgres-array'

/**
 * The arrays of the server's own types. The driver can request them from the server (`fetch_types`), but a connection
 * that breaks during this request ends the process, because the driver awaits that statement nowhere.
 *
 * Elements are parsed like a single value: numbers, bigint for `int8` and `numeric`, text for the others.
 */
export const arrayTypes = {
  textArray: arrayType([1009, 1002, 1003, 1015, 2951], String),
  numberArray: arrayType([1007, 1005, 1022, 1028], Number),
  bigintArray: arrayType([1016, 1231], BigInt),
  booleanArray: arrayType([1000], (text) => text === 't'),
}

/**
 * Returns a driver type. @param oids object ids of array types in the server's `pg_type`; the first one names the type.
 * Text: text, char, name, varchar, uuid. Numbers: int4, int2, float8, oid. bigint: int8, numeric. Booleans: bool.
 * @param read parses one element's text
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
 * Returns the Postgres array literal of the elements, with escaped quotes and backslashes. Example: `['a"b']` becomes
 * `{"a\"b"}`.
 * @throws TypeError for an element of another type than null, string, number, bigint, boolean or array, such as a Date
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
