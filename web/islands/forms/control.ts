/** A field on the page, with a function that reads its value. */
export interface Control {
  element: HTMLElement
  /**
   * Returns the value of the field; undefined if the field is empty.
   * @throws FieldProblem if the value is not allowed
   */
  read(): unknown
}

/** Thrown for a value that is not allowed. The message is for a person. */
export class FieldProblem extends Error {
  override name = 'FieldProblem'
}
