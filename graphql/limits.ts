/** The limits of one GraphQL request. The message of a refusal states the limit. */
export const limits = {
  /** Maximum size of a request body, bytes. */
  bodyBytes: 65_536,
  /** Maximum number of nested levels in `variables`, which graphql-js reads by recursion. */
  variableLevels: 12,
  /** Maximum number of values in all `variables` together. */
  variableValues: 1_000,
  /** Maximum number of lexical tokens of a document. */
  tokens: 1_000,
  /** Maximum number of nested levels of fields. The query `{ tasks { items { id } } }` has 3. */
  depth: 8,
  /** Maximum number of aliases in an operation. An alias in a fragment counts once for each use of the fragment. */
  aliases: 5,
  /**
   * Maximum number of values of an answer. Each list counts as its number of fields times its maximum number of rows.
   * Example: five lists of tasks with all columns have 28,000 values.
   */
  values: 50_000,
  /** Maximum number of rows of a list. */
  rows: 100,
  /** Number of rows of a list if the argument `limit` is absent. */
  defaultRows: 50,
  /** Maximum number of rows that the argument `offset` may skip. */
  offset: 10_000,
  /** Maximum number of conditions in a filter. AND and OR count too. */
  conditions: 50,
  /** Maximum number of values in a list in a filter. */
  listValues: 100,
  /** Maximum length of a text in a filter, characters. */
  textCharacters: 200,
  /** Maximum number of digits of a number. The largest uint256 has 78. */
  numberDigits: 78,
  /**
   * Maximum number of validation errors in an answer. Validation stops at this number, because suggestions for misspelt
   * names take time.
   */
  reportedErrors: 5,
  /**
   * Maximum length of an error message, characters. graphql-js can quote the whole document in a message, so without
   * this limit a message could be as long as the document.
   */
  messageCharacters: 500,
  /** Maximum time from the arrival of the whole body to the answer, milliseconds. Waiting for execution is included. */
  requestMs: 2_000,
  /** Maximum time of one SQL statement, milliseconds. */
  statementMs: 2_000,
  /** Maximum number of requests that execute at the same time, each on its own connection. */
  executing: 2,
  /** Maximum number of requests of all clients that wait for execution. */
  waiting: 16,
  /** Maximum number of requests of one client IP that wait for execution. */
  waitingPerClient: 4,
  /** Maximum size of an answer, bytes. */
  responseBytes: 8 * 1024 * 1024,
  /** Maximum number of validated documents in the cache. */
  keptDocuments: 100,
} as const
