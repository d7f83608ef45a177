// Places and reads one order of each family with the client of OpenAPI Generator. Prints what it read as JSON.
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dgo.ApiClient;
import dgo.api.AuthenticationApi;
import dgo.api.ESimApi;
import dgo.api.ESimApi.APICreateEsimOrderRequest;
import dgo.api.TopUpsApi;
import dgo.api.TopUpsApi.APICreateTopupOrderRequest;
import dgo.api.VouchersApi;
import dgo.api.VouchersApi.APICreateVoucherOrderRequest;
import dgo.api.WalletsApi;
import dgo.api.WebhookEventsApi;
import dgo.api.WebhookEventsApi.APIListWebhookEventsRequest;
import dgo.model.EsimOrderRequest;
import dgo.model.LoginRequest;
import dgo.model.TopupOrderRequest;
import dgo.model.VoucherOrderRequest;

public class Orders {
  public static void main(String[] arguments) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(System.getenv("API"));
    LoginRequest login =
        new LoginRequest().username(System.getenv("KEY")).password(System.getenv("SECRET"));
    String token = new AuthenticationApi(client).login(login).getData().getAccessToken();
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + token));

    ObjectMapper json = client.getObjectMapper();
    JsonNode bodies = json.readTree(System.getenv("BODIES"));
    ObjectNode read = json.createObjectNode();
    read.put("balance", new WalletsApi(client).listWallets().get(0).getBalance());
    ObjectNode orders = read.putObject("orders");

    VouchersApi vouchers = new VouchersApi(client);
    var voucherRequest = json.treeToValue(bodies.get("voucher"), VoucherOrderRequest.class);
    var createdVoucher =
        APICreateVoucherOrderRequest.newBuilder().voucherOrderRequest(voucherRequest).build();
    var voucher = vouchers.getVoucherOrder(vouchers.createVoucherOrder(createdVoucher).getId());
    show(orders, "voucher", voucher.getId(), voucher.getStatus(), voucher.getChargedAmount());

    TopUpsApi topups = new TopUpsApi(client);
    var topupRequest = json.treeToValue(bodies.get("topup"), TopupOrderRequest.class);
    var createdTopup =
        APICreateTopupOrderRequest.newBuilder().topupOrderRequest(topupRequest).build();
    var topup = topups.getTopupOrder(topups.createTopupOrder(createdTopup).getId());
    show(orders, "topup", topup.getId(), topup.getStatus(), topup.getChargedAmount());

    ESimApi esims = new ESimApi(client);
    var esimRequest = json.treeToValue(bodies.get("esim"), EsimOrderRequest.class);
    var createdEsim =
        APICreateEsimOrderRequest.newBuilder().esimOrderRequest(esimRequest).build();
    var esim = esims.getEsimOrder(esims.createEsimOrder(createdEsim).getId());
    show(orders, "esim", esim.getId(), esim.getStatus(), esim.getChargedAmount());

    var listed = APIListWebhookEventsRequest.newBuilder().build();
    read.put("has_events", !new WebhookEventsApi(client).listWebhookEvents(listed).isEmpty());
    System.out.println(json.writeValueAsString(read));
  }

  private static void show(ObjectNode orders, String family, Long id, Object status, Double amount) {
    ObjectNode order = orders.putObject(family);
    order.put("id", id).put("status", status.toString()).put("charged_amount", amount);
  }
}
