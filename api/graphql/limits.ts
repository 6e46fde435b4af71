/** The limits of one GraphQL request. A request beyond one of them is refused with the number. */
export const limits = {
  /** Bytes of a request body. */
  bodyBytes: 65_536,
  /** Lexical tokens of a document. */
  tokens: 1_000,
  /** Fields of a document, of which validation compares each with every other of its name; all columns of five lists of tasks are 280. */
  fields: 300,
  /**
   * Levels of selections, the operation being the first: `{ tasks { items { id } } }` has 4, and the tables have no
   * relations, so no useful query has more.
   */
  depth: 4,
  /** The same for an operation of introspection alone: that of graphql-js, which the usual tools send, has 16. */
  introspectionDepth: 16,
  /** Root fields and aliases of an operation; a fragment counts wherever it is spread. */
  rootFields: 5,
  aliases: 5,
  /** Rows of a list, and rows skipped before its first. */
  rows: 100,
  offset: 10_000,
  /** Conditions of a filter, and levels of AND and OR in it. */
  conditions: 50,
  conditionLevels: 5,
  /** Values of a list in a filter, such as that of `id_in`. */
  listValues: 100,
  /** Characters of a text in an argument, and digits of a number: a uint256 has 78. */
  textCharacters: 200,
  numberDigits: 78,
  /** Characters of `after` and `before`. */
  cursorCharacters: 2_000,
  /** Levels of lists and objects in `variables`, and values in all of them together. */
  variableLevels: 12,
  variableValues: 1_000,
  /** Validation errors that are reported. Suggestions for misspelt names take time: validation ends at this number. */
  reportedErrors: 5,
  /** Characters of an error message: graphql-js quotes the document. */
  messageCharacters: 500,
  /** Time from the end of the body to the answer, waiting included, and time for one statement, milliseconds. */
  requestMs: 2_000,
  statementMs: 2_000,
  /** Requests that execute at the same time, and database connections of each. */
  executing: 2,
  connectionsPerRequest: 2,
  /** Requests that wait for execution: of all clients, and of one client IP. */
  waiting: 16,
  waitingPerClient: 4,
  /** Bytes of an answer. */
  responseBytes: 8 * 1024 * 1024,
} as const
