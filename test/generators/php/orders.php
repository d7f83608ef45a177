<?php
// Places and reads one order of each family with the client of OpenAPI Generator. Prints what it read as JSON.
require '/usr/share/php/GuzzleHttp/autoload.php';
$generated = getenv('CLIENT') . '/lib/';
spl_autoload_register(function (string $class) use ($generated): void {
    $file = $generated . str_replace(['Dgo\\', '\\'], ['', '/'], $class) . '.php';
    if (str_starts_with($class, 'Dgo\\') && is_file($file)) require $file;
});

$bodies = json_decode(getenv('BODIES'), true);
$config = (new Dgo\Configuration())->setHost(getenv('API'));
$http = new GuzzleHttp\Client();
$login = new Dgo\Model\LoginRequest(['username' => getenv('KEY'), 'password' => getenv('SECRET')]);
$session = (new Dgo\Api\AuthenticationApi($http, $config))->login($login);
$config->setAccessToken($session->getData()->getAccessToken());

$vouchers = new Dgo\Api\VouchersApi($http, $config);
$topups = new Dgo\Api\TopUpsApi($http, $config);
$esims = new Dgo\Api\ESIMApi($http, $config);
$balance = (new Dgo\Api\WalletsApi($http, $config))->listWallets()[0]->getBalance();

$voucher = $vouchers->createVoucherOrder(new Dgo\Model\VoucherOrderRequest($bodies['voucher']));
$topup = $topups->createTopupOrder(new Dgo\Model\TopupOrderRequest($bodies['topup']));
$esim = $esims->createEsimOrder(new Dgo\Model\EsimOrderRequest($bodies['esim']));
$orders = [
    'voucher' => $vouchers->getVoucherOrder($voucher->getId()),
    'topup' => $topups->getTopupOrder($topup->getId()),
    'esim' => $esims->getEsimOrder($esim->getId()),
];
// The client sends the default of every parameter that has one.
if (count($vouchers->listVoucherOrders()) !== 1) throw new Exception('The list of voucher orders is wrong');
$events = (new Dgo\Api\WebhookEventsApi($http, $config))->listWebhookEvents();
echo json_encode([
    'balance' => $balance,
    'orders' => array_map(fn($order) => [
        'id' => $order->getId(),
        'status' => $order->getStatus(),
        'charged_amount' => $order->getChargedAmount(),
    ], $orders),
    'has_events' => count($events) > 0,
]);
