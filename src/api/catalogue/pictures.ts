/** The pictures of products. docs/specification.md#pictures-of-the-sandbox. */

/**
 * The address of a product's picture for a caller who reaches the service at the origin. Suppliers' pictures have addresses of their
 * own. A path names a picture that the service itself has. An empty address stays empty: the product has no picture.
 */
export function addressOfPicture(address: string, origin: string): string {
  return address.startsWith('/') ? origin + address : address;
}
